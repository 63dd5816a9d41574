/** The thread in which texts are embedded. It holds the model, and nothing of what it read. */
import { answerCalls } from "../../../threads/answer-calls.ts";
import { embedWithMiniLm } from "./minilm.ts";

answerCalls({ embed: embedWithMiniLm });
