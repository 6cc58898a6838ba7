/** `set`: single features of objects. */
import { group } from '../../command/command.ts';
import { image, resources, serviceAccount } from './containers.ts';
import { env } from './env.ts';
import { selector } from './selector.ts';
import { subject } from './subject.ts';

export const set = group({
  name: 'set',
  aliases: [],
  subcommands: [env, image, resources, selector, serviceAccount, subject],
});
