import { Contrast, Monitor, Moon, Projector, Sun } from 'lucide-preact';
import { IconButton, Menu, MenuItem, MenuLabel, MenuLine } from '../parts/index.ts';
import { useAppearance } from '../theme/appearance.ts';

const themes = [
  { theme: 'system', label: 'As the system says', icon: Monitor },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
] as const;

/** Theme, contrast and size; the page keeps the choice. */
export function AppearanceMenu() {
  const { theme, contrast, size } = useAppearance();
  const Icon = themes.find((each) => each.theme === theme)?.icon ?? Monitor;
  return (
    <Menu align="end" trigger={<IconButton icon={Icon} label="Appearance" />}>
      <MenuLabel>Appearance</MenuLabel>
      {themes.map((each) => (
        <MenuItem
          key={each.theme}
          icon={each.icon}
          label={each.label}
          current={theme === each.theme}
          onSelect={() => useAppearance.setState({ theme: each.theme })}
        />
      ))}
      <MenuLine />
      <MenuItem
        icon={Contrast}
        label="High contrast"
        current={contrast === 'more'}
        onSelect={() => useAppearance.setState({ contrast: contrast === 'more' ? 'normal' : 'more' })}
      />
      <MenuItem
        icon={Projector}
        label="Projector size"
        current={size === 'projector'}
        onSelect={() => useAppearance.setState({ size: size === 'projector' ? 'normal' : 'projector' })}
      />
    </Menu>
  );
}
