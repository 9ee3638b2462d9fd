import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Database } from '@gpu-observatory/service-runtime/process';
import { IsNull, MoreThan, Repository } from 'typeorm';
import { Clock } from '../clock/clock.ts';
import { Session } from './session.entity.ts';

/** Maximum number of listed sessions. "Sign out everywhere" ends the others too. */
const MAX_SESSIONS = 1_000;

@Injectable()
export class SessionList {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Returns the active sessions of a user, newest first. */
  async of(userId: number): Promise<Session[]> {
    const now = await this.clock.databaseNow(this.database);
    return this.sessions.find({
      where: { user_id: userId, ended_at: IsNull(), expires_at: MoreThan(now) },
      order: { signed_in_at: 'DESC', id: 'ASC' },
      take: MAX_SESSIONS,
    });
  }
}
