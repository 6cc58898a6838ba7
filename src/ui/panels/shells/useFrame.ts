import { useLayoutEffect, type RefObject } from 'preact/compat';
import type { Frame } from './frame.ts';

/** Shows a terminal in an element, as large as that is, in the colours that the page has at the moment. */
export function useFrame({ host, fit, terminal }: Frame, place: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    element.append(host);
    const size = new ResizeObserver(fit);
    size.observe(element);
    const looks = new MutationObserver(fit);
    looks.observe(document.documentElement, { attributes: true });
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', fit);
    fit();
    terminal.focus();
    return () => {
      size.disconnect();
      looks.disconnect();
      scheme.removeEventListener('change', fit);
      host.remove();
    };
  }, [host, fit, terminal, place]);
}
