import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Raw, Repository } from 'typeorm';
import { Session } from './session.entity.ts';

/** Maximum number of listed sessions. "Sign out everywhere" ends the others too. */
const MAX_SESSIONS = 1_000;

@Injectable()
export class SessionList {
  constructor(@InjectRepository(Session) private readonly sessions: Repository<Session>) {}

  /** Returns the active sessions of a user, newest first. */
  async of(userId: number): Promise<Session[]> {
    return this.sessions.find({
      where: {
        user_id: userId,
        ended_at: IsNull(),
        expires_at: Raw((time) => `${time} > clock_timestamp()`),
      },
      order: { signed_in_at: 'DESC', id: 'ASC' },
      take: MAX_SESSIONS,
    });
  }
}
