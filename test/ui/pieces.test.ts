/** Where a long word of a lesson's command is broken. */
import { expect, test } from 'vitest';
import { piecesOf } from '../../src/ui/panels/lesson/pieces.ts';

test.each([
  ['--verb=get,list,patch', ['--verb=get,', 'list,', 'patch']],
  ['/api/v1/pods', ['/', 'api/', 'v1/', 'pods']],
  ['--image=nginx', ['--image=nginx']],
])('%s', (word, pieces) => {
  expect(piecesOf(word)).toEqual(pieces);
});
