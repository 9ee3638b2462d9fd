import { isSameChoice, isSheetOpen, withoutSheet, withSheet } from '../../src/parts/filter-sheet.ts';

describe('the sheet of filters', () => {
  it('is open in the URL and changes no filter', () => {
    const search = { severity: 'critical', sort: 'hostname' };
    const open = withSheet(search);
    expect([isSheetOpen(search), isSheetOpen(open), isSheetOpen(withoutSheet(open))]).toEqual([
      false,
      true,
      false,
    ]);
    expect(isSameChoice(search, open)).toBe(true);
  });

  it('differs from the entry before it once a filter was chosen, removed or changed', () => {
    const before = { severity: 'critical' };
    expect(isSameChoice(before, withSheet({ severity: 'critical,high' }))).toBe(false);
    expect(isSameChoice(before, withSheet({ severity: undefined }))).toBe(false);
    expect(isSameChoice(before, withSheet({ severity: 'critical', title: 'ECC' }))).toBe(false);
    expect(isSameChoice(before, withSheet({ severity: 'critical', title: undefined }))).toBe(true);
  });
});
