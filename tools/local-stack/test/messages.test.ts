import { signInMessage } from '../src/messages.ts';
import { portsFrom } from '../src/ports.ts';
import { describeStack } from '../src/stack-file.ts';

const messageWith = (certificateFile: string | undefined) =>
  signInMessage(
    describeStack(portsFrom(3000), { owners: {} } as Parameters<typeof describeStack>[1], certificateFile),
  );

describe('the message before the first sign-in', () => {
  it('warns of Safari, and names the option with which it works', () => {
    expect(messageWith(undefined)).toMatch(/Safari .*--https.*\nSign in at http:/);
  });

  it('names the certificate to trust with --https', () => {
    expect(messageWith('/data/certificate.pem')).toMatch(
      /certificate \/data\/certificate.pem first.*\nSign in at https:/,
    );
  });
});
