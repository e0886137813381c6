import type { ReactNode } from 'react';
import { pingCommand } from '../../core/keys';
import { CodeBlock } from '../../ui/CodeBlock';
import { type Made, SecretDialog } from '../../ui/SecretDialog';

interface Props {
  title: string;
  onClose: () => void;
  /** The form; `onMade` receives the new key. */
  children: (onMade: (made: Made) => void) => ReactNode;
}

/** A dialog whose form makes a key, and the command that tries it. */
export function KeyDialog(props: Props) {
  return (
    <SecretDialog
      {...props}
      what="key"
      about="The key is shown only once. Store it where your program reads it, for example in a secret store or an environment variable."
      more={(secret) => (
        <CodeBlock label="Try it with curl" text={pingCommand(window.location.origin, secret)} />
      )}
    />
  );
}
