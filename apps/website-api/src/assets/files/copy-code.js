// Adds a button to each code block that copies its text. Plain HTTP has no clipboard, so there it adds no buttons.
const MESSAGE_MS = 2_000;

if (navigator.clipboard) {
  for (const block of document.querySelectorAll('.code'))
    block.append(copyButton(block.querySelector('code')));
}

function copyButton(code) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  // Announces “Copied”.
  button.ariaLive = 'polite';
  button.addEventListener('click', async () => {
    button.textContent = await navigator.clipboard.writeText(code.textContent.trimEnd()).then(
      () => 'Copied',
      () => 'Not copied',
    );
    setTimeout(() => (button.textContent = 'Copy'), MESSAGE_MS);
  });
  return button;
}
