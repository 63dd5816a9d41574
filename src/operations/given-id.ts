/** An id as callers give it: also copied with brackets, quotes or spaces around it, or in capitals. */
import { z } from "zod";
import { idIn } from "../text/identifiers.ts";

export const givenId = z.string().min(1).overwrite(idIn);
