/** `certificate approve` and `certificate deny`. */
import type { ApiObject } from '../../schema/index.ts';
import { command, group, type Command } from '../command/command.ts';
import { forEach } from '../command/each.ts';
import { complaint } from '../command/errors.ts';
import { toggle } from '../command/flags.ts';
import { resultFlags, resultPrinter } from '../output/result.ts';
import { fileFlags } from '../server/manifests.ts';
import { namesFiles } from '../server/manifests.ts';
import { selectedObjects } from '../server/selected.ts';
import { wordsOfType } from '../server/targets.ts';

interface Request extends ApiObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string }[] | null };
}

function declare(name: 'approve' | 'deny', type: 'Approved' | 'Denied'): Command {
  const other = type === 'Approved' ? 'Denied' : 'Approved';
  return command({
    name,
    flags: { ...fileFlags, force: toggle(), ...resultFlags },
    run: async (call) => {
      if (call.args.length === 0 && !namesFiles(call.flags))
        throw complaint('one or more CSRs must be specified as <name> or -f <filename>');
      const printer = await resultPrinter(call.session, call.flags);
      const none = { all: false, selector: '', 'field-selector': '' };
      const words = call.args.length > 0 ? wordsOfType('certificatesigningrequests', call.args) : [];
      const found = await selectedObjects({ ...call, flags: { ...call.flags, ...none } }, words);
      await forEach(found, async ({ resource, object }) => {
        const request: Request = object;
        const conditions = request.status?.conditions ?? [];
        const is = (wanted: string): boolean => conditions.some((each) => each.type === wanted);
        if (is(other))
          throw complaint(`certificate signing request ${JSON.stringify(object.metadata.name)} is already ${other}`);
        if (!is(type) || call.flags.force) {
          const condition = {
            ...{ type, status: 'True', reason: type === 'Approved' ? 'KubectlApprove' : 'KubectlDeny' },
            message: `This CSR was ${type.toLowerCase()} by kubectl certificate ${name}.`,
          };
          const after = is(type) ? conditions : [...conditions, condition];
          const next = { ...request, status: { ...request.status, conditions: after } };
          await call.client.of<Request>(resource).update(next, { subresource: 'approval' });
        }
        printer.print({ resource, object }, type.toLowerCase());
      });
    },
  });
}

export const certificate = group({
  ...{ name: 'certificate', aliases: [] },
  alone: 'help',
  subcommands: [declare('approve', 'Approved'), declare('deny', 'Denied')],
});
