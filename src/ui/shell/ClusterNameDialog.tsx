import { useState } from 'preact/compat';
import { Button, Dialog, Field, orToast, TextInput } from '../parts/index.ts';

interface ClusterNameDialogProps {
  readonly title: string;
  readonly about: string;
  /** What the button says that makes the cluster. */
  readonly action: string;
  readonly suggested: string;
  /** Why a name can't be taken; undefined for one that can. */
  readonly wrongWith: (name: string) => string | undefined;
  /** Makes the cluster. Where it rejects, `failed` is said and the dialog stays. */
  readonly make: (name: string) => Promise<void>;
  readonly failed: string;
  readonly onClose: () => void;
}

/** Asks for the name of a cluster that is made from another one. */
export function ClusterNameDialog(props: ClusterNameDialogProps) {
  const { title, about, action, wrongWith, make, failed, onClose } = props;
  const [name, setName] = useState(props.suggested);
  const [busy, setBusy] = useState(false);
  const wrong = wrongWith(name);
  const run = async (): Promise<void> => {
    setBusy(true);
    if (await orToast(failed, () => make(name))) onClose();
    else setBusy(false);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      first="input"
      about={about}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} unavailable={wrong} onClick={() => void run()}>
            {action}
          </Button>
        </>
      }
    >
      <Field label="Name" error={wrong}>
        {(ids) => <TextInput {...ids} value={name} onText={setName} />}
      </Field>
    </Dialog>
  );
}
