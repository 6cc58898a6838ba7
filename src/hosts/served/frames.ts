/** The messages between a page and the server of its cluster, as bytes (wire/frames.ts). */
import { isObject } from '../../std/index.ts';
import { answerShapes, decodeFrames, isText, questionShapes, type Shapes } from '../wire/frames.ts';
import type { FromPage, ToPage } from './messages.ts';

const fromPage: Shapes<FromPage> = { ...questionShapes, hello: { nonce: isText }, enter: { proof: isText } };
const toPage: Shapes<ToPage> = {
  ...answerShapes,
  challenge: { nonce: isText, proof: isText },
  entered: { served: isObject },
  refused: {},
};

/** Decodes messages of a page. Throws FrameError. */
export const decodeFromPage = (bytes: Uint8Array): FromPage[] =>
  decodeFrames(bytes, fromPage).map((message) => message as FromPage);

/** Decodes messages of the server. Throws FrameError. */
export const decodeToPage = (bytes: Uint8Array): ToPage[] =>
  decodeFrames(bytes, toPage).map((message) => message as ToPage);
