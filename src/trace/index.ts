export { Breakpoints, type Breakpoint, type Held, type Passing } from './breakpoints.ts';
export * from './events.ts';
export { shownAnswer, shownReview } from './reviews.ts';
export { senderOf, type Sender } from './sender.ts';
export { shownBody, withoutSecrets } from './secrets.ts';
export { createTracer, type Tracer } from './tracer.ts';
