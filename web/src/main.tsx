// First: takes the token of a one-time link out of the address.
import './routes/setupToken';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './global.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queryClient';
import { router } from './router';
import { resolveVariables, theme } from './theme';
import { LiveRegion } from './ui/LiveRegion';

const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';
// The scroll lock of dialogs writes a style element of its own.
setNonce(nonce);
const colours = localStorageColorSchemeManager({ key: 'longshore.colors' });

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      colorSchemeManager={colours}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Notifications withinPortal={false} position="bottom-right" />
        <LiveRegion />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
