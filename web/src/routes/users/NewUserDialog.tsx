import { Modal } from '@mantine/core';
import { useState } from 'react';
import { notifyDone } from '../../ui/notify';
import { LinkOnce } from './LinkOnce';
import { type CreatedUser, createUser, type UserFacts, usersChanged } from './queries';
import { UserForm } from './UserForm';

const PASSWORD = [
  'They choose it: you get a link to give them',
  'You set it and tell them',
] as const;

/** Adds a user; the link by which they choose a password is shown once. */
export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<CreatedUser | null>(null);
  const isShown = created !== null;
  const save = async (facts: UserFacts) => {
    const answer = await createUser(facts);
    await usersChanged();
    if (answer.setup_link !== null) return setCreated(answer);
    notifyDone(`${answer.user.email} was added.`);
    onClose();
  };
  return (
    <Modal
      opened
      // The link is shown only once: nothing but its own button closes it.
      onClose={isShown ? () => undefined : onClose}
      title={isShown ? 'Link for the new user' : 'Add a user'}
      size="lg"
      withCloseButton={!isShown}
    >
      {created === null ? (
        <UserForm
          start={{ email: '', role: 'editor' }}
          password={PASSWORD}
          verb="Add user"
          save={save}
          onCancel={onClose}
        />
      ) : (
        <LinkOnce created={created} onPassedOn={onClose} />
      )}
    </Modal>
  );
}
