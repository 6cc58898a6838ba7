export * from './scheme.ts';
export { columnsOf } from './columns.ts';
export { discoveryDocument, rootPaths } from './discovery.ts';
export { storageVersionHashes } from './storageVersionHash.ts';
export { hasReplicas, scaleOf, withScale } from './scale.ts';
export { createScheme, type SchemeOptions } from './createScheme.ts';
export { compareVersions } from './resourceIndex.ts';
export {
  decodeProtobuf,
  encodeProtobuf,
  isProtobuf,
  protobufWatchEvents,
  protobufWatchFrame,
} from './protobuf/index.ts';
export { encodeOpenApi, OPENAPI_PROTOBUF, openApiDocument, type OpenApiDocument } from './openapi/index.ts';
export { printedForm } from './printedForm.ts';
export { createTranslator, formats, isFormat, type Format } from './translate.ts';
