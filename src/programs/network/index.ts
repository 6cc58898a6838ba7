export { connectionPair, shownTls } from './connection.ts';
export * from './http.ts';
export { httpRequest, openRequest, type RequestOptions, type StreamedResponse } from './httpClient.ts';
export { serveHttp, urlOf, type Answer, type Handler } from './httpServer.ts';
export { LoopbackNetwork } from './loopback.ts';
export type * from './network.ts';
