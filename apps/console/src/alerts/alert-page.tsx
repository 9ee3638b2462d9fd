export function AlertPage() {
  return <h1>AlertPage</h1>;
}
