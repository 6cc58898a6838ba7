import { useEffect, useState } from 'react';
import { Button, ErrorNote, orToast } from '../../parts/index.ts';
import { messageOf } from '../../stores/actions.ts';
import { openLessonAt } from './linked.ts';
import { OfferDialog, readOffered, type Offered } from './OfferDialog.tsx';

interface LinkedLessonProps {
  /** The lesson's file. */
  readonly file: string;
  readonly step: number;
  readonly onClose: () => void;
}

/** A lesson that a link carries whole: shows first what it would do, and asks. */
export default function LinkedLesson({ file, step, onClose }: LinkedLessonProps) {
  const [offered, setOffered] = useState<Offered>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    readOffered(file).then(setOffered, (error: unknown) => setProblem(messageOf(error)));
  }, [file]);
  if (problem !== undefined)
    return (
      <ErrorNote title="This link can’t be opened." actions={<Button onClick={onClose}>Go on without it</Button>}>
        It carries a lesson that can’t be read. {problem}
      </ErrorNote>
    );
  if (!offered) return null;
  const open = (id: string): void => void orToast('The lesson could not be opened.', () => openLessonAt({ id, step }));
  return <OfferDialog {...offered} from="link" step={step} onClose={onClose} onOpen={open} />;
}
