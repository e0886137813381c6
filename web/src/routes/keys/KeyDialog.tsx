import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { SecretOnce } from './SecretOnce';

interface Props {
  title: string;
  onClose: () => void;
  /** The form; `onSecret` receives the new key. */
  children: (onSecret: (made: Made) => void) => ReactNode;
}

export interface Made {
  secret: string;
  note?: string;
}

/** A dialog whose form makes a key. While the key is shown, only "I have stored it" closes it. */
export function KeyDialog({ title, onClose, children }: Props) {
  const [made, setMade] = useState<Made | null>(null);
  const stored = () => {
    setMade(null);
    onClose();
  };
  const isShown = made !== null;
  return (
    <Modal
      opened
      onClose={isShown ? () => undefined : onClose}
      title={isShown ? 'Your new key' : title}
      size="lg"
      closeOnClickOutside={!isShown}
      closeOnEscape={!isShown}
      withCloseButton={!isShown}
    >
      {made === null ? children(setMade) : <SecretOnce {...made} onStored={stored} />}
    </Modal>
  );
}
