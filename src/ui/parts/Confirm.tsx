import { useState, type ReactNode } from 'preact/compat';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { orToast } from './Toast.tsx';

interface ConfirmProps {
  readonly title: string;
  readonly about: ReactNode;
  readonly action: string;
  readonly run: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something is deleted that can't be had back. */
export function Confirm({ title, about, action, run, onClose }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    if (await orToast('It was not done.', run)) onClose();
    else setBusy(false);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      about={about}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger" busy={busy} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    />
  );
}
