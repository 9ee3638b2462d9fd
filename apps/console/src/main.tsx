import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadConfig } from './config.ts';
import { createAppRouter } from './router.tsx';
import { createServices, ServicesContext } from './session/services.ts';
import { CALLBACK_PATH, SessionGate } from './session/session.tsx';
import { applyTheme, storedTheme } from './shell/preferences.ts';
import './theme/base.css';

applyTheme(storedTheme());
// Most visits start at the overview: its code loads while the session is checked.
if (['/', CALLBACK_PATH].includes(window.location.pathname)) void import('./overview/overview.tsx');
const root = createRoot(document.getElementById('root') as HTMLElement);
try {
  const services = createServices(await loadConfig());
  const queryClient = new QueryClient({
    // The client repeats what can be repeated; views show the rest with a countdown.
    // Without a network, requests fail immediately and views show an error; by default they would wait.
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, staleTime: 5_000, networkMode: 'always' },
    },
  });
  root.render(
    <StrictMode>
      <ServicesContext value={services}>
        <QueryClientProvider client={queryClient}>
          <SessionGate>
            <RouterProvider router={createAppRouter()} />
          </SessionGate>
        </QueryClientProvider>
      </ServicesContext>
    </StrictMode>,
  );
} catch (error) {
  root.render(<p role="alert">The console cannot start. {(error as Error).message}</p>);
}
