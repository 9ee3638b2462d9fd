export function AlertView({ id }: { id: string }) {
  return <p>{id}</p>;
}
