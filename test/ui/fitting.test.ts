import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COLUMN_PADDING, fitting, forPhone, forUpright, type Fitted } from '../../src/ui/panels/explore/fitting.ts';

/** `Name:20`, `IP:12+` for one that is shown where there is room, `Nominated:4+-` for one that is empty besides. */
const column = (text: string): Fitted => {
  const [, name = '', width, more = ''] = /^([^:]+):(\d+)(.*)$/.exec(text) ?? [];
  return { name, width: Number(width), priority: more.startsWith('+') ? 1 : 0, empty: more.endsWith('-') };
};
const pods = ['Name:20', 'Status:20', 'Age:6', 'IP:12+', 'Node:10+', 'Nominated:10+-'].map(column);
const names = (columns: readonly Fitted[]): string => columns.map(({ name }) => name).join(' ');

describe('the columns of a table', () => {
  it.each([
    ['nothing is left', 40, 'Name Status Age'],
    ['one more fits', 68.5, 'Name Status Age IP'],
    ['the second fits where the first does not', 66, 'Name Status Age Node'],
    ['all fit, but an empty one says nothing', 500, 'Name Status Age IP Node'],
  ])('%s', (_what, room, expected) => {
    expect(names(fitting(pods, room))).toBe(expected);
  });

  it('never take more than there is beyond those that always stand', () => {
    const some = fc.record({
      name: fc.string(),
      width: fc.integer({ min: 4, max: 40 }),
      priority: fc.constantFrom(0, 1),
      empty: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(some), fc.integer({ min: 0, max: 300 }), (columns, room) => {
        const width = (list: readonly Fitted[]): number =>
          list.reduce((sum, each) => sum + each.width + COLUMN_PADDING, 0);
        const always = columns.filter(({ priority }) => priority === 0);
        expect(width(fitting(columns, room))).toBeLessThanOrEqual(Math.max(room, width(always)));
        expect(fitting(columns, room)).toEqual(expect.arrayContaining(always));
      }),
      { seed: 11 },
    );
  });

  it.each([
    [['Name:9', 'Ready:5', 'Status:9', 'Restarts:8', 'Age:6'], 'Name Status Ready Restarts Age'],
    [['Last Seen:9', 'Type:7', 'Reason:9', 'Object:20', 'Message:40'], 'Object Reason Message Last Seen Type'],
  ])('say on a phone first what an object is called and how it does: %j', (columns, expected) => {
    expect(names(forPhone(columns.map(column)))).toBe(expected);
  });

  it.each([
    [
      'the name takes what a state and another column leave',
      ['Name:33', 'Status:24', 'Ready:5', 'Age:6'],
      [24, 14, 5, 6],
    ],
    ['a short name stays short', ['Name:9', 'Status:24', 'Ready:5', 'Age:6'], [9, 14, 5, 6]],
    ['a name keeps what tells it apart beside wide columns', ['Name:33', 'Hosts:40', 'Address:15'], [20, 40, 15]],
    ['a name alone takes the room that there is', ['Name:60'], [48]],
  ])('on a phone that is held upright: %s', (_what, columns, widths) => {
    expect(forUpright(columns.map(column), 53).map(({ width }) => width)).toEqual(widths);
  });
});
