import { Link } from '@tanstack/react-router';

interface HostLinkProps {
  hostname: string;
  /** Shown for a GPU or an alert whose host is not known. */
  unknown?: string;
}

/** The name of a host, which leads to its page. */
export function HostLink({ hostname, unknown = 'unknown host' }: HostLinkProps) {
  if (hostname === '') return unknown;
  return (
    <Link to="/hosts/$hostname" params={{ hostname }}>
      <bdi>{hostname}</bdi>
    </Link>
  );
}
