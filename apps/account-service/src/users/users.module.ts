import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MeController } from './me.controller.ts';
import { User } from './user.entity.ts';

@Module({
  imports: [TypeOrmModule.forFeature([User])],
  controllers: [MeController],
})
export class UsersModule {}
