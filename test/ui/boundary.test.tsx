/** What a person sees of a part of the page that fails. */
import { renderToString } from 'preact-render-to-string';
import { expect, test, vi } from 'vitest';
import { Boundary } from '../../src/ui/parts/Boundary.tsx';

const boundary = (): Boundary => new Boundary({ what: 'Access', children: 'the panel' });

test('a part that works is shown', () => {
  expect(boundary().render()).toBe('the panel');
});

test('one that fails gives its place to a sentence, the reason and a way to try again', () => {
  const failed = boundary();
  failed.state = Boundary.getDerivedStateFromError(new TypeError('y.slice is not a function'));
  const shown = renderToString(<>{failed.render()}</>);
  expect(shown).toContain('role="alert"');
  expect(shown).toContain('Access can’t be shown.');
  expect(shown).toContain('y.slice is not a function');
  expect(shown).toContain('Try again');
  expect(shown).not.toContain('the panel');
});

test('the console tells where in the code it failed', () => {
  const report = vi.fn();
  vi.stubGlobal('reportError', report);
  const problem = new TypeError('y.slice is not a function');
  boundary().componentDidCatch(problem);
  vi.unstubAllGlobals();
  expect(report).toHaveBeenCalledWith(problem);
});
