/** The thread in which texts are embedded. It holds the model, and nothing of what it read. */
import { parentPort } from "node:worker_threads";
import { answerCalls } from "../../../threads/answer-calls.ts";
import { embedWithMiniLm } from "./minilm.ts";
import { embedWithFastMiniLm } from "./onnx/fast-minilm.ts";

answerCalls({
  exact: embedWithMiniLm,
  fast: embedWithFastMiniLm,
  // After the answer has gone; with nothing to listen to, the thread ends by itself.
  close: () => {
    setImmediate(() => parentPort?.close());
  },
});
