import { Ident } from '../parts/index.ts';
import { Confirm } from '../parts/Confirm.tsx';
import type { BootOptions } from '../host.ts';
import { beginningOf } from './beginning.ts';

interface ResetDialogProps {
  readonly options: BootOptions;
  readonly onClose: () => void;
}

/** Asks before a cluster begins again. */
export function ResetDialog({ options, onClose }: ResetDialogProps) {
  const { name } = options;
  return (
    <Confirm
      title="Reset this cluster?"
      about={
        <>
          Everything in <Ident>{name}</Ident> is deleted. It begins again {beginningOf(name)}.
        </>
      }
      action={`Reset ${name}`}
      run={async () => (await import('./reset.ts')).resetCluster(options)}
      onClose={onClose}
    />
  );
}
