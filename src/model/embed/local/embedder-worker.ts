/** The thread in which texts are embedded. It holds the model, but none of the texts. */
import { answerCalls } from "../../../threads/answer-calls.ts";
import { embedWithMiniLm } from "./minilm.ts";

answerCalls({ embed: embedWithMiniLm });
