/** The outside world, as far as programs can reach it: web servers that say that they are simulated. */
import { encodeText } from '../../std/index.ts';
import type { NetworkSettings } from '../view.ts';
import { httpService, type AnswerHttp } from './httpService.ts';
import type { Ports } from './ports.ts';

const HTTP_PORT = 80;

/** Starts a web server at each address outside of the cluster. */
export function startOutside({ outside }: NetworkSettings, portsAt: (address: string) => Ports): void {
  for (const [name, address] of Object.entries(outside)) portsAt(address).listen(HTTP_PORT, httpService(sayWho(name)));
}

/** Gives the same answer to all requests. */
const sayWho =
  (name: string): AnswerHttp =>
  (_request, { remote }) => ({
    status: 200,
    headers: [['Content-Type', 'text/plain; charset=utf-8']],
    body: encodeText(`This is ${name}, a simulated server outside of the cluster. You come from ${remote.address}.\n`),
  });
