/** The thread in which contents are explored. It keeps nothing between two of them. */
import { answerCalls } from "../../../threads/answer-calls.ts";
import { exploreContent } from "./explore-content.ts";

answerCalls({ explore: exploreContent });
