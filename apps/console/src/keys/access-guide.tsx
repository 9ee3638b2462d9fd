import { useServices } from '../session/services.ts';
import { accessSnippets, type MachineClient } from './access-snippets.ts';
import styles from './keys.module.css';

/** Shows how a program reads with a key. */
export function AccessGuide({ client, onCopy }: { client: MachineClient; onCopy: (text: string) => void }) {
  const { config } = useServices();
  return accessSnippets(config, client).map(({ title, text }, index) => (
    <details key={title} className={styles.snippet} open={index === 0}>
      <summary>{title}</summary>
      <pre tabIndex={0} data-testid={`snippet-${index}`}>
        {text}
      </pre>
      <button type="button" onClick={() => onCopy(text)} aria-label={`Copy: ${title}`}>
        Copy
      </button>
    </details>
  ));
}
