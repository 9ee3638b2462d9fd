export function GpuPage() {
  return <h1>GpuPage</h1>;
}
