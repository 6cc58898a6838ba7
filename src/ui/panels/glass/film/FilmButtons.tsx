import { Camera, CircleStop, Clapperboard } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/compat';
import { Button, orToast, save } from '../../../parts/index.ts';
import { useCluster } from '../../../stores/session.ts';
import { startFilm, takePicture, type Filming } from './camera.ts';

function theStage(): HTMLElement {
  const stage = document.querySelector<HTMLElement>('[data-stage]');
  if (!stage) throw new Error('The picture is not there.');
  return stage;
}

/** Pictures (PNG) and videos (WebM, a minute at most) of the Glass, for slides. */
export default function FilmButtons() {
  const { name } = useCluster().cluster;
  const [filming, setFilming] = useState<Filming>();
  const latest = useRef<Filming>(undefined);
  useEffect(() => () => latest.current?.stop(), []);
  const picture = (): Promise<boolean> =>
    orToast('The picture was not saved.', async () => save(await takePicture(theStage()), `${name}-glass.png`));
  const film = (): Promise<boolean> =>
    orToast('The video was not recorded.', async () => {
      const started = startFilm(theStage());
      latest.current = started;
      setFilming(started);
      const blob = await started.film.finally(() => setFilming(undefined));
      save(blob, `${name}-glass.webm`);
    });
  if (filming)
    return (
      <Button icon={CircleStop} onClick={filming.stop}>
        Stop recording
      </Button>
    );
  return (
    <>
      <Button icon={Camera} onClick={() => void picture()}>
        Save a picture
      </Button>
      <Button icon={Clapperboard} onClick={() => void film()}>
        Record a video
      </Button>
    </>
  );
}
