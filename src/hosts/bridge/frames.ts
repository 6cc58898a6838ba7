/** The messages of the bridge as bytes (wire/frames.ts). */
import { answerShapes, decodeFrames, isPort, isText, questionShapes } from '../wire/frames.ts';
import type { Shapes } from '../wire/frames.ts';
import type { FromTab, ToTab } from './messages.ts';

/** The messages that a tab takes. */
const toTab: Shapes<ToTab> = { ...questionShapes, listening: { port: isPort }, ended: { why: isText }, ping: {} };

/** The messages that the server of the page takes. */
const fromTab: Shapes<FromTab> = {
  ...answerShapes,
  offer: {
    ...{ cluster: isText, secret: (value) => isText(value) && String(value).length >= 16, port: isPort },
    ...{ certificate: isText, key: isText, clientAuthorities: isText },
  },
  close: {},
  pong: {},
};

/** Decodes messages of the page's server. Throws FrameError. */
export const decodeToTab = (bytes: Uint8Array): ToTab[] =>
  decodeFrames(bytes, toTab).map((message) => message as ToTab);

/** Decodes messages of a tab. Throws FrameError. */
export const decodeFromTab = (bytes: Uint8Array): FromTab[] =>
  decodeFrames(bytes, fromTab).map((message) => message as FromTab);
