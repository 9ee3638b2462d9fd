export function Gpus() {
  return <h1>Gpus</h1>;
}
