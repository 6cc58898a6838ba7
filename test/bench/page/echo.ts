/** Keeps the first message and sends it back for each one after. */
let answer: unknown;

self.onmessage = ({ data }: MessageEvent<unknown>) => {
  answer ??= data;
  self.postMessage(answer);
};
