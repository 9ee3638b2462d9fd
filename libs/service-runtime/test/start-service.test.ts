import { createTestDatabase, type TestDatabase } from '@gpu-observatory/testing';
import { startChildService } from './support/child-service.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase('service-runtime/start-service', () => Promise.resolve());
});
afterAll(() => testDatabase.drop());

test('is ready only after its modules have started and it accepts requests', async () => {
  const service = await startChildService({ DATABASE_URL: testDatabase.url, START_MS: '500' });
  try {
    const response = await fetch(`${service.url}/slow?milliseconds=0`);
    expect(response.status).toBe(200);
  } finally {
    service.process.kill('SIGKILL');
    await service.exited;
  }
});
