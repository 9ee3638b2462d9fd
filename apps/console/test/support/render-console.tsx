import { jest } from '@jest/globals';
import { createAccountClient, createFleetClient } from '@gpu-observatory/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { act, render } from '@testing-library/react';
import { createAppRouter } from '../../src/router.tsx';
import { type Services, ServicesContext } from '../../src/session/services.ts';
import { accountFetch, type FakeFleet, NOW } from './fake-fleet.ts';

/** Renders a view of the console at the time of the fake fleet. The clock moves with `pass` only. */
export async function renderConsole(fleet: FakeFleet, path: string): Promise<void> {
  jest.useFakeTimers({ now: NOW });
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  window.history.replaceState(null, '', path);
  const services = {
    fleet: createFleetClient({
      baseUrl: 'http://fleet.example',
      fetch: fleet.fetch,
      conditional: true,
      retry: false,
    }),
    account: createAccountClient({ baseUrl: 'http://account.example', fetch: accountFetch, retry: false }),
    onSessionEnd: () => () => undefined,
  } as unknown as Services;
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 5_000 } },
  });
  render(
    <ServicesContext value={services}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={createAppRouter()} />
      </QueryClientProvider>
    </ServicesContext>,
  );
  await pass(1_000);
}

/** Lets time pass, in ms. Each second is rendered, because components start their timers when they are rendered. */
export async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    await act(() => jest.advanceTimersByTimeAsync(Math.min(1_000, ms - passed)));
  }
}
