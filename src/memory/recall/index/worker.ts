/** The thread in which segments are made. It keeps nothing between two of them. */
import { answerCalls } from "../../../threads/answer-calls.ts";
import { buildSegment } from "./build-segment.ts";
import { mergeContents } from "./segment-maker.ts";

answerCalls({ build: buildSegment, merge: mergeContents });
