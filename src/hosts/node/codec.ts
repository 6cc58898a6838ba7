/** Shows objects in another representation: `npm run -s codec -- --from protobuf --to yaml`, standard input to standard output. */
import { parseArgs } from 'node:util';
import { createTranslator, formats, isFormat } from '../../cluster/index.ts';
import { isProfile, namesOf, profiles } from '../../names/index.ts';

const usage = `usage: npm run -s codec -- --from FORMAT --to FORMAT [--naming PROFILE]
  FORMAT   ${formats.join(', ')}; Protobuf may be one object in its envelope, or a watch's stream of frames
  PROFILE  ${profiles.join(' or ')} (k8s.io)`;

async function main(args: readonly string[]): Promise<void> {
  const options = {
    from: { type: 'string' },
    to: { type: 'string' },
    naming: { type: 'string', default: 'k8s.io' },
  } as const;
  const { from, to, naming } = parseArgs({ args: [...args], options }).values;
  if (!isFormat(from) || !isFormat(to) || !isProfile(naming)) throw new Error(usage);
  const translate = createTranslator(namesOf(naming));
  const input: Buffer[] = [];
  for await (const chunk of process.stdin) input.push(Buffer.from(chunk as Uint8Array));
  process.stdout.write(translate(Buffer.concat(input), from, to));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
