import type { MouseEvent } from 'react';

/** Whether a click opens its link in this tab. Others, such as those with Ctrl or the middle button, are the browser's. */
export function isPlainClick(
  event: Pick<MouseEvent, 'button' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>,
): boolean {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}

/** Movement with a pressed button above which text is selected, in px. */
const CLICK_RADIUS = 4;
let press = { x: 0, y: 0 };

/**
 * Handlers of a row that repeat a click on the link of the row. The link covers the row, but text is above it, so that
 * it can be selected and shows its tooltip.
 */
export const ROW_LINK = {
  onMouseDown: ({ clientX, clientY }: MouseEvent) => {
    press = { x: clientX, y: clientY };
  },
  onClick: clickRowLink,
  onAuxClick: clickRowLink,
};

function clickRowLink(event: MouseEvent<HTMLElement>): void {
  const link = event.currentTarget.querySelector('a');
  const { button, detail, ctrlKey, metaKey, shiftKey, altKey } = event;
  const isMiddle = button === 1;
  // Other buttons have other meanings.
  if (!link || link.contains(event.target as Node) || (button !== 0 && !isMiddle)) return;
  if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > CLICK_RADIUS) return;
  // Of events by scripts, browsers ignore the middle button. Ctrl, or Command on a Mac, opens a tab too.
  const keys = { ctrlKey: ctrlKey || isMiddle, metaKey: metaKey || isMiddle, shiftKey, altKey };
  link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail, ...keys }));
}
