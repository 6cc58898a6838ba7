/** Takes pictures and films of the Glass, for slides: what stands on the stage, and over it what moves. */
import { paint, shapesIn, type Shape } from './shapes.ts';

/** Boxes change seldom; they are read anew so often. */
const READ_EVERY = 250;
const FRAMES = 30;
/** Slides are larger than pages: text of a picture is sharp on them. */
const PICTURE_SCALE = 2;
/** A film that somebody forgot to end. */
const LONGEST_MS = 60_000;

interface Camera {
  readonly film: HTMLCanvasElement;
  /** Paints the stage as it is now. */
  shoot(now: number): void;
}

/** `least` pixels of the picture for each of the page's. */
function cameraOn(stage: HTMLElement, least: number): Camera {
  const moving = stage.querySelector('canvas');
  const film = document.createElement('canvas');
  const { width, height } = stage.getBoundingClientRect();
  const scale = Math.max(least, window.devicePixelRatio || 1);
  // Codecs want even sizes.
  film.width = 2 * Math.round((width * scale) / 2);
  film.height = 2 * Math.round((height * scale) / 2);
  const context = film.getContext('2d');
  const ground = getComputedStyle(document.body).backgroundColor;
  let shapes: readonly Shape[] = [];
  let read = -Infinity;
  const shoot = (now: number): void => {
    if (!context) return;
    if (now - read >= READ_EVERY) {
      shapes = shapesIn(stage);
      read = now;
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.fillStyle = ground;
    context.fillRect(0, 0, width, height);
    paint(context, shapes);
    if (moving && moving.width > 0) context.drawImage(moving, 0, 0, width, height);
  };
  return { film, shoot };
}

/** A picture as PNG. */
export async function takePicture(stage: HTMLElement): Promise<Blob> {
  const { film, shoot } = cameraOn(stage, PICTURE_SCALE);
  shoot(performance.now());
  const blob = await new Promise<Blob | null>((resolve) => film.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('This browser could not make a picture.');
  return blob;
}

export interface Filming {
  /** Ends it; the film follows. */
  stop(): void;
  /** The film as WebM, once it has ended. */
  readonly film: Promise<Blob>;
}

const FORMS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];

/** Films until it is stopped, a minute at most. Throws where the browser can't. */
export function startFilm(stage: HTMLElement): Filming {
  const form =
    typeof MediaRecorder === 'undefined' ? undefined : FORMS.find((each) => MediaRecorder.isTypeSupported(each));
  if (form === undefined) throw new Error('This browser cannot record WebM videos.');
  const { film: canvas, shoot } = cameraOn(stage, 1);
  const recorder = new MediaRecorder(canvas.captureStream(FRAMES), { mimeType: form, videoBitsPerSecond: 6_000_000 });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => void parts.push(data);
  let frame = 0;
  const next = (now: number): void => {
    shoot(now);
    frame = requestAnimationFrame(next);
  };
  const stop = (): void => void (recorder.state !== 'inactive' && recorder.stop());
  const end = setTimeout(stop, LONGEST_MS);
  const film = new Promise<Blob>((resolve, reject) => {
    recorder.onerror = () => reject(new Error('The recording failed.'));
    recorder.onstop = () => {
      clearTimeout(end);
      cancelAnimationFrame(frame);
      resolve(new Blob(parts, { type: 'video/webm' }));
    };
  });
  recorder.start();
  frame = requestAnimationFrame(next);
  return { stop, film };
}
