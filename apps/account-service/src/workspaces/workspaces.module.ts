import { Module } from '@nestjs/common';
import { WorkspacesController } from './workspaces.controller.ts';

@Module({ controllers: [WorkspacesController] })
export class WorkspacesModule {}
