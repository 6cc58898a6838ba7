import { FileUp } from 'lucide-preact';
import { useRef, useState } from 'preact/compat';
import { Button } from '../../parts/index.ts';
import { attempt } from '../../stores/actions.ts';
import { OfferDialog, readOffered, type Offered } from './OfferDialog.tsx';
import { openLesson } from './running.ts';

/** Opens a lesson from a file: shows first what it would do, and asks. */
export function OpenFile() {
  const input = useRef<HTMLInputElement>(null);
  const [offered, setOffered] = useState<Offered>();
  const take = (file: File | undefined): void => {
    if (!file) return;
    void attempt(undefined, `${file.name} is not a lesson.`, async () =>
      setOffered(await readOffered(await file.text())),
    );
  };
  return (
    <>
      <Button icon={FileUp} onClick={() => input.current?.click()}>
        Open a lesson from a file
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="A lesson’s file"
        onChange={({ currentTarget: target }) => {
          take(target.files?.[0]);
          target.value = '';
        }}
      />
      {offered && (
        <OfferDialog
          {...offered}
          from="file"
          onClose={() => setOffered(undefined)}
          onOpen={(id) => void openLesson(id)}
        />
      )}
    </>
  );
}
