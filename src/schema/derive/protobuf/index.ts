export { decodeProtobuf, encodeProtobuf, isProtobuf, protobufWatchEvents, protobufWatchFrame } from './envelope.ts';
