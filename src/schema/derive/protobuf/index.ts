export { decodeProtobuf, encodeProtobuf, isProtobuf, protobufWatchFrame } from './envelope.ts';
