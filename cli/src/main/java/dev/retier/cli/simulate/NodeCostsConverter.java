package dev.retier.cli.simulate;

import dev.retier.sim.model.NodeCosts;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What requests cost a node, on the command line: {@code CAPACITY:STATIC:ORIGIN:FORWARD:DYNAMIC}. */
final class NodeCostsConverter implements ITypeConverter<NodeCosts> {
    private static final int FIGURES = 5;

    @Override
    public NodeCosts convert(String text) {
        String[] parts = text.split(":", -1);
        try {
            if (parts.length == FIGURES) {
                return new NodeCosts(
                        Double.parseDouble(parts[0]),
                        Double.parseDouble(parts[1]),
                        Double.parseDouble(parts[2]),
                        Double.parseDouble(parts[3]),
                        Double.parseDouble(parts[4]));
            }
        } catch (IllegalArgumentException e) {
            throw wrong(text);
        }
        throw wrong(text);
    }

    private static TypeConversionException wrong(String text) {
        return new TypeConversionException("'" + text + "': write CAPACITY:STATIC:ORIGIN:FORWARD:DYNAMIC, all above 0,"
                + " as in 95000:363:363:97:1570");
    }
}
