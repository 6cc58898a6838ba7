export { openApiDocument } from './document.ts';
export { encodeOpenApi, OPENAPI_PROTOBUF } from './encode.ts';
export type { Document as OpenApiDocument } from './json.ts';
