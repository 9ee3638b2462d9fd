import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import {
  type KeyboardEvent,
  type MouseEvent,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { alertSearchQuery } from '../data/fleet-queries.ts';
import { gpusQuery } from '../data/queries.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { alertItems, fleetItems, type Group, type Item, recentItems, viewItems, xidItems } from './items.ts';
import styles from './palette.module.css';

const MAX_ALERTS = 5;
/** Characters from which on alerts are searched: shorter texts match most of them. */
const MIN_ALERT_TEXT = 3;
const PAUSE_MS = 250;

/** Finds hosts, GPUs, alerts and views by name, and lists the pages that were opened last. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const { groups, isSearching } = useGroups(text.trim());
  const items = groups.flatMap((group) => group.items);
  const [cursor, setCursor] = useState(0);
  const selected = Math.min(cursor, items.length - 1);
  const listId = useId();
  const navigate = useNavigate();
  const router = useRouter();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [selected, text]);

  const open = ({ target }: Item, isNewTab: boolean) => {
    if (isNewTab) {
      window.open(router.buildLocation(target as Parameters<typeof router.buildLocation>[0]).href, '_blank');
      return;
    }
    onClose();
    void navigate(target);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const item = items[selected];
    if (step !== undefined && items.length > 0) {
      event.preventDefault();
      setCursor((selected + step + items.length) % items.length);
    } else if (event.key === 'Enter' && item) {
      event.preventDefault();
      open(item, event.ctrlKey || event.metaKey);
    }
  };
  return (
    <Dialog title="Find" onClose={onClose}>
      <input
        className={styles.input}
        type="text"
        role="combobox"
        aria-label="Host, GPU, serial number, alert, XID or view"
        placeholder="Host, GPU, serial number, alert, XID or view"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={items.length > 0 ? `${listId}-${selected}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        autoFocus
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setCursor(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={listId} role="listbox" aria-label="Results" className={styles.results}>
        {groups.map(({ title, items: members }) => (
          <div key={title} role="group" aria-label={title}>
            <p className={styles.title} aria-hidden="true">
              {title}
            </p>
            {members.map((item) => {
              const n = items.indexOf(item);
              return (
                <Option
                  key={item.key}
                  id={`${listId}-${n}`}
                  item={item}
                  isSelected={n === selected}
                  onPoint={() => setCursor(n)}
                  onOpen={(event) => open(item, event.ctrlKey || event.metaKey || event.button === 1)}
                />
              );
            })}
          </div>
        ))}
      </div>
      <p className={styles.status} role="status">
        {items.length > 0 ? '' : isSearching ? 'Searching…' : `Nothing is called “${text.trim()}”.`}
      </p>
      <p className={styles.keys} aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>Enter</kbd> open, <kbd>Ctrl Enter</kbd> in a new tab,{' '}
        <kbd>Esc</kbd> close
      </p>
    </Dialog>
  );
}

interface OptionProps {
  id: string;
  item: Item;
  isSelected: boolean;
  onPoint: () => void;
  onOpen: (event: MouseEvent) => void;
}

function Option({ id, item: { title, detail }, isSelected, onPoint, onOpen }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      className={styles.option}
      onMouseMove={onPoint}
      onClick={onOpen}
      onAuxClick={onOpen}
    >
      <bdi>{title}</bdi>
      <small>
        <bdi>{detail}</bdi>
      </small>
    </div>
  );
}

/** Returns the results of a text: recent pages and views at once, the others when they are known. */
function useGroups(text: string): { groups: Group[]; isSearching: boolean } {
  const services = useServices();
  const scope = useScope();
  const pausedText = usePaused(text);
  const fleet = useQuery({ ...gpusQuery(services, scope), enabled: text !== '' });
  const searched = useDeferredValue(text);
  const found = useMemo(
    () => (searched === '' ? { hosts: [], gpus: [] } : fleetItems(searched, fleet.data?.gpus ?? [])),
    [searched, fleet.data],
  );
  const hasAlertText = pausedText.length >= MIN_ALERT_TEXT;
  const alerts = useQuery({
    ...alertSearchQuery(services, scope, pausedText, MAX_ALERTS),
    enabled: hasAlertText,
  });
  const groups = [
    { title: 'Recent', items: text === '' ? recentItems() : [] },
    { title: 'Hosts', items: found.hosts },
    { title: 'GPUs', items: found.gpus },
    { title: 'XIDs', items: xidItems(text) },
    { title: 'Views', items: viewItems(text) },
    { title: 'Alerts', items: hasAlertText && text !== '' ? alertItems(alerts.data?.alerts ?? []) : [] },
  ];
  return {
    groups: groups.filter(({ items }) => items.length > 0),
    isSearching: fleet.isLoading || alerts.isLoading || text !== pausedText,
  };
}

/** Returns a text after a pause in typing. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
