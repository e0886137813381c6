import { Modal, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { login } from '../api/login';
import { type Session, useSession } from '../api/session';
import { LoginForm } from './LoginForm';
import { leave } from './sessionHint';

/** Over every other dialog: what is under it waits. */
const ABOVE_DIALOGS = 1000;

/** Opens over the page when the session has ended; the work under it is kept and goes on after. */
export function LoginDialog() {
  const [open, setOpen] = useState(false);
  const { user } = useSession();
  useEffect(() => login.subscribe(setOpen), []);
  const goOn = (session: Session) => {
    // Another user has other rights: what the page shows is then not theirs.
    if (session.user.id !== user.id) window.location.reload();
    else login.finished();
  };
  return (
    <Modal
      opened={open}
      onClose={leave}
      title="Your session has ended"
      zIndex={ABOVE_DIALOGS}
      closeOnClickOutside={false}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': 'Leave this page' }}
    >
      <Text mb="md">Log in again to go on. Nothing on this page is lost.</Text>
      <LoginForm email={user.email} onLoggedIn={goOn} />
    </Modal>
  );
}
