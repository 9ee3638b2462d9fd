import { isTextField } from '../../src/shell/use-shortcuts.ts';

/** The properties that the browser gives an element. */
const element = (tagName: string, properties: object = {}) =>
  ({ tagName, isContentEditable: false, ...properties }) as unknown as EventTarget;

it.each(['text', 'search', 'email', 'password', 'number', 'date'])(
  'leaves letters to an input of type %s',
  (type) => expect(isTextField(element('INPUT', { type }))).toBe(true),
);

it.each(['checkbox', 'radio', 'button', 'submit', 'range'])(
  'handles shortcuts after a click on an input of type %s',
  (type) => expect(isTextField(element('INPUT', { type }))).toBe(false),
);

it('leaves letters to text areas, lists of options and editable content', () => {
  const elements = [
    element('TEXTAREA'),
    element('SELECT', { type: 'select-one' }),
    element('DIV', { isContentEditable: true }),
  ];
  expect(elements.map(isTextField)).toEqual([true, true, true]);
});

it('handles shortcuts on buttons, links and the page', () => {
  const elements = [element('BUTTON', { type: 'submit' }), element('A', { type: '' }), element('BODY'), null];
  expect(elements.map(isTextField)).toEqual([false, false, false, false]);
});
