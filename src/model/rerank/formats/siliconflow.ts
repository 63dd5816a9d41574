/** SiliconFlow: POST /v1/rerank, in Jina's form. */
import type { RerankFormat } from "../rerank-format.ts";
import { jina } from "./jina.ts";

export const siliconflow: RerankFormat = { ...jina, mostDocuments: 256 };
