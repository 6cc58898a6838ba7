/** Calls of gRPC against a server that refuses, ends, or answers oddly. */
import { constants, type ServerHttp2Stream } from 'node:http2';
import { expect, onTestFinished, test } from 'vitest';
import { Channel, UNAVAILABLE } from '../../src/hosts/node/etcd/channel.ts';
import { serverWith, type Answer } from './http2Server.ts';

async function channelTo(answer: Answer): Promise<Channel> {
  const { url } = await serverWith(answer);
  const channel = new Channel({ endpoints: [url] });
  onTestFinished(() => channel.close());
  return channel;
}

/** Answers with the bytes that came. */
function echo(stream: ServerHttp2Stream, body: Buffer): void {
  stream.respond({ ':status': 200 }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(body);
}

const text = async (channel: Channel, message: string): Promise<string> =>
  Buffer.from(await channel.call('/a', Buffer.from(message))).toString();

test('a call that an ending server has not begun is made again at the same endpoint', async () => {
  let calls = 0;
  const channel = await channelTo((stream, body) => {
    if (++calls === 2) stream.session?.goaway(0, 1);
    else echo(stream, body);
  });
  expect([await text(channel, 'first'), await text(channel, 'second')]).toEqual(['first', 'second']);
  expect(calls).toBe(3);
});

test('a call that is refused is made once more, and not for ever', async () => {
  let [calls, refused] = [0, 1];
  const channel = await channelTo((stream, body) => {
    if (++calls > refused) echo(stream, body);
    else stream.close(constants.NGHTTP2_REFUSED_STREAM);
  });
  expect(await text(channel, 'a')).toBe('a');
  [calls, refused] = [0, Infinity];
  await expect(text(channel, 'b')).rejects.toMatchObject({ code: UNAVAILABLE, unsent: true });
  expect(calls).toBe(2);
});

test.each([
  ['50%25 of it', '50% of it'],
  ['50% of it', '50% of it'],
])('the message %j of an error is read as %j', async (sent, read) => {
  const channel = await channelTo((stream) =>
    stream.respond({ ':status': 200, 'grpc-status': '5', 'grpc-message': sent }, { endStream: true }),
  );
  await expect(text(channel, '')).rejects.toMatchObject({ code: 5, message: read });
});
